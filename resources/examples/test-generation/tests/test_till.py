import sys
import unittest

sys.path.insert(0, "src")

from till import shipping, subtotal


class Subtotal(unittest.TestCase):
    def test_adds_price_times_quantity(self):
        self.assertEqual(subtotal([(250, 2), (100, 1)]), 600)

    def test_nothing_costs_nothing(self):
        self.assertEqual(subtotal([]), 0)

    def test_refuses_a_quantity_below_one(self):
        with self.assertRaises(ValueError):
            subtotal([(100, 0)])


class Shipping(unittest.TestCase):
    def test_is_free_from_fifty_at_home(self):
        self.assertEqual(shipping(5000, "NO"), 0)


if __name__ == "__main__":
    unittest.main()
