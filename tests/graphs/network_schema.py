"""The JSON Schema of the documentation."""

import json

from tests.repository import ROOT

NETWORK_SCHEMA = json.loads((ROOT / "docs" / "network.schema.json").read_text())
