/** What all texts of the layout of fiscal documents share. */

export const FISCAL_NAMESPACE = 'http://www.portalfiscal.inf.br/nfe';

/** `tpAmb`. */
export const environmentCode = ({ environment }: { readonly environment: 'PRODUCTION' | 'HOMOLOGATION' }): string =>
  environment === 'PRODUCTION' ? '1' : '2';
