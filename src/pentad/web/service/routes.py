"""The table of services that the server and the page without a server have in common."""

from pentad.web.service import boards, games, learn, models, play, study

ROUTES = (*play.ROUTES, *games.ROUTES, *boards.ROUTES, *study.ROUTES, *learn.ROUTES, *models.ROUTES)
