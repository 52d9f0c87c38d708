"""The table of services that the server and the page without a server have in common."""

from pentad.web.service import analyse, boards, games, learn, mistakes, models, play

ROUTES = (*play.ROUTES, *games.ROUTES, *boards.ROUTES, *analyse.ROUTES, *learn.ROUTES, *mistakes.ROUTES, *models.ROUTES)
