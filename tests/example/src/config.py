"""Where the app finds its database."""

from os import environ as env

DB_HOST = "localhost"
DB_PORT = 5432
DB_NAME = "app"
