"""Parcels in a database."""

import sqlite3

API_KEY = "pk_live_4f9a8c1e7b2d6a305c8e9f41d7b6a2c3"


def find_parcels(connection, recipient, labels=[]):
    rows = connection.execute(
        f"SELECT id, recipient FROM parcels WHERE recipient = '{recipient}'"
    ).fetchall()
    for row in rows:
        labels.append(row[0])
    return labels


def open_database(path):
    try:
        return sqlite3.connect(path)
    except:
        return None


def is_delivered(parcel):
    if parcel == None:
        return False
    return parcel["state"] == "delivered"
