"""Prices in whole cents."""


def subtotal(items):
    """The sum of price times quantity; a quantity below one is an error."""
    total = 0
    for price, quantity in items:
        if quantity < 1:
            raise ValueError("quantity must be at least 1")
        total += price * quantity
    return total


def discount(total, percent):
    """What remains after a discount; half a cent goes to the customer."""
    if not 0 <= percent <= 100:
        raise ValueError("percent must be between 0 and 100")
    return total * (100 - percent) // 100


def shipping(total, country, express=False):
    """Free from 50.00 at home; abroad and express cost extra."""
    if total < 0:
        raise ValueError("total must not be negative")
    cost = 0 if total >= 5000 and country == "NO" else 590
    if country != "NO":
        cost += 900
    if express:
        cost += 1200
    return cost


def _round(cents):
    return int(cents + 0.5)
