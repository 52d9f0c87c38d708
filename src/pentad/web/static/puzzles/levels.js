// The levels of puzzles, from difficulty 1 to 5.

export const LEVELS = ["Easy", "Fairly easy", "Medium", "Hard", "Very hard"];
