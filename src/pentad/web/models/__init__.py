"""The page of models: explorations in processes of their own, and walks through a model."""
