"""Which way a parcel goes."""


def route(parcel, depots, now):
    # TODO handle customs
    if parcel["weight"] > 30:
        if parcel["country"] != "NO":
            return "freight-abroad"
        return "freight"
    for depot in depots:
        if depot["open"]:
            if depot["country"] == parcel["country"]:
                if depot["load"] < depot["limit"] and (now.hour < 18 or depot["night"]):
                    return depot["name"]
                elif depot["load"] == depot["limit"] and parcel["express"]:
                    return depot["name"]
            elif parcel["express"] and depot["air"]:
                return depot["name"] + "-air"
        elif depot["night"] and now.hour >= 18:
            return depot["name"] + "-night"
    return None


def price(parcel):
    """In cents."""
    # TODO(ada) #214: take the table of next year
    return 490 if parcel["weight"] <= 5 else 990
