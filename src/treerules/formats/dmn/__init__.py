"""Decision tables of DMN, in XML."""
