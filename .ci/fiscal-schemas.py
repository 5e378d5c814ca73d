"""Holds samples of fiscal documents and messages to the official schemas, which the package nfelib carries.

usage: fiscal-schemas.py PACKAGES SAMPLES
"""

import sys
from pathlib import Path

packages, samples = Path(sys.argv[1]), Path(sys.argv[2])
sys.path.insert(0, str(packages))
from lxml import etree  # noqa: E402

NOTE = packages / "nfelib/nfe/schemas/v4_0"
CANCELLATION = packages / "nfelib/nfe_evento_cancel/schemas/v1_0"
SCHEMAS = {
    "NFe": NOTE / "nfe_v4.00.xsd",
    "nfeProc": NOTE / "procNFe_v4.00.xsd",
    "enviNFe": NOTE / "enviNFe_v4.00.xsd",
    "consReciNFe": NOTE / "consReciNFe_v4.00.xsd",
    "consSitNFe": NOTE / "consSitNFe_v4.00.xsd",
    "consStatServ": NOTE / "consStatServ_v4.00.xsd",
    "inutNFe": NOTE / "inutNFe_v4.00.xsd",
    "ProcInutNFe": NOTE / "procInutNFe_v4.00.xsd",
    "evento": CANCELLATION / "eventoCancNFe_v1.00.xsd",
    "envEvento": CANCELLATION / "envEventoCancNFe_v1.00.xsd",
    "procEventoNFe": CANCELLATION / "procEventoCancNFe_v1.00.xsd",
}

known = {}
seen = set()
wrong = 0
files = sorted(samples.glob("*.xml"))
for file in files:
    document = etree.parse(str(file))
    name = etree.QName(document.getroot()).localname
    seen.add(name)
    if name not in known:
        known[name] = etree.XMLSchema(etree.parse(str(SCHEMAS[name])))
    if not known[name].validate(document):
        wrong += 1
        print(f"{file.name}: {known[name].error_log.last_error}")
for name in sorted(set(SCHEMAS) - seen):
    wrong += 1
    print(f"no sample of {name}")
print(f"{len(files)} samples, {wrong} wrong")
sys.exit(1 if wrong else 0)
