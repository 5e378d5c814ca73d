import type { State } from './states.js';

/** Where the web services of the tax authorities are, layout 4.00, as they were known in November 2026. An operator can replace each of them. */

export const FISCAL_SERVICES = ['authorization', 'authorizationResult', 'query', 'status', 'event', 'void'] as const;
export type FiscalService = (typeof FISCAL_SERVICES)[number];
/** Some authorities do not offer all of them. */
export type ServiceAddresses = Readonly<Partial<Record<FiscalService, string>>>;
interface Authorizer {
  readonly production: ServiceAddresses;
  readonly homologation: ServiceAddresses;
}

type Paths = readonly (string | null)[];

const SHORT_NAMES: Paths = [
  'NfeAutorizacao4',
  'NfeRetAutorizacao4',
  'NfeConsulta4',
  'NfeStatusServico4',
  'RecepcaoEvento4',
  'NfeInutilizacao4',
];
const IN_FOLDERS: Paths = [
  'NFeAutorizacao4/NFeAutorizacao4.asmx',
  'NFeRetAutorizacao4/NFeRetAutorizacao4.asmx',
  'NFeConsultaProtocolo4/NFeConsultaProtocolo4.asmx',
  'NFeStatusServico4/NFeStatusServico4.asmx',
  'NFeRecepcaoEvento4/NFeRecepcaoEvento4.asmx',
  'NFeInutilizacao4/NFeInutilizacao4.asmx',
];
const PLAIN: Paths = [
  'NFeAutorizacao4',
  'NFeRetAutorizacao4',
  'NFeConsultaProtocolo4',
  'NFeStatusServico4',
  'NFeRecepcaoEvento4',
  'NFeInutilizacao4',
];
const RIO_GRANDE: Paths = [
  'NfeAutorizacao/NFeAutorizacao4.asmx',
  'NfeRetAutorizacao/NFeRetAutorizacao4.asmx',
  'NfeConsulta/NfeConsulta4.asmx',
  'NfeStatusServico/NfeStatusServico4.asmx',
  'recepcaoevento/recepcaoevento4.asmx',
  'nfeinutilizacao/nfeinutilizacao4.asmx',
];
const LOWER_CASE: Paths = [
  'nfeautorizacao4.asmx',
  'nferetautorizacao4.asmx',
  'nfeconsultaprotocolo4.asmx',
  'nfestatusservico4.asmx',
  'nferecepcaoevento4.asmx',
  'nfeinutilizacao4.asmx',
];
const RIO_GRANDE_WITHOUT_VOID: Paths = [...RIO_GRANDE.slice(0, -1), null];
const ACTIVE_PAGES: Paths = [
  'NFeAutorizacao4.asmx',
  'NFeRetAutorizacao4.asmx',
  'NFeConsultaProtocolo4.asmx',
  'NFeStatusServico4.asmx',
  'NFeRecepcaoEvento4.asmx',
  'NFeInutilizacao4.asmx',
];

const addresses = (base: string, paths: Paths): ServiceAddresses =>
  Object.fromEntries(
    FISCAL_SERVICES.flatMap((service, index) => {
      const path = paths[index];
      return path ? [[service, `https://${base}${path}`]] : [];
    }),
  );

/** Both environments have the same paths on hosts of their own. */
const authorizer = (production: string, homologation: string, folder: string, paths: Paths): Authorizer => ({
  production: addresses(production + folder, paths),
  homologation: addresses(homologation + folder, paths),
});

export const AUTHORIZERS: Readonly<Record<55 | 65, Readonly<Record<string, Authorizer>>>> = {
  55: {
    AM: authorizer('nfe.sefaz.am.gov.br', 'homnfe.sefaz.am.gov.br', '/services2/services/', SHORT_NAMES),
    BA: authorizer('nfe.sefaz.ba.gov.br', 'hnfe.sefaz.ba.gov.br', '/webservices/', IN_FOLDERS),
    GO: authorizer('nfe.sefaz.go.gov.br', 'homolog.sefaz.go.gov.br', '/nfe/services/', PLAIN),
    MG: authorizer('nfe.fazenda.mg.gov.br', 'hnfe.fazenda.mg.gov.br', '/nfe2/services/', PLAIN),
    MS: authorizer('nfe.sefaz.ms.gov.br', 'hom.nfe.sefaz.ms.gov.br', '/ws/', PLAIN),
    MT: authorizer('nfe.sefaz.mt.gov.br', 'homologacao.sefaz.mt.gov.br', '/nfews/v2/services/', SHORT_NAMES),
    PE: authorizer('nfe.sefaz.pe.gov.br', 'nfehomolog.sefaz.pe.gov.br', '/nfe-service/services/', PLAIN),
    PR: authorizer('nfe.sefa.pr.gov.br', 'homologacao.nfe.sefa.pr.gov.br', '/nfe/', PLAIN),
    RS: authorizer('nfe.sefazrs.rs.gov.br', 'nfe-homologacao.sefazrs.rs.gov.br', '/ws/', RIO_GRANDE),
    SP: authorizer('nfe.fazenda.sp.gov.br', 'homologacao.nfe.fazenda.sp.gov.br', '/ws/', LOWER_CASE),
    SVAN: authorizer('www.sefazvirtual.fazenda.gov.br', 'hom.sefazvirtual.fazenda.gov.br', '/', IN_FOLDERS),
    SVRS: authorizer('nfe.svrs.rs.gov.br', 'nfe-homologacao.svrs.rs.gov.br', '/ws/', RIO_GRANDE),
    'SVC-AN': authorizer('www.sefazvirtual.fazenda.gov.br', 'hom.sefazvirtual.fazenda.gov.br', '/', IN_FOLDERS),
    'SVC-RS': authorizer('nfe.svrs.rs.gov.br', 'nfe-homologacao.svrs.rs.gov.br', '/ws/', RIO_GRANDE_WITHOUT_VOID),
  },
  65: {
    AM: authorizer('nfce.sefaz.am.gov.br', 'homnfce.sefaz.am.gov.br', '/nfce-services/services/', SHORT_NAMES),
    GO: authorizer('nfe.sefaz.go.gov.br', 'homolog.sefaz.go.gov.br', '/nfe/services/', PLAIN),
    MG: authorizer('nfce.fazenda.mg.gov.br', 'hnfce.fazenda.mg.gov.br', '/nfce/services/', PLAIN),
    MS: authorizer('nfce.sefaz.ms.gov.br', 'hom.nfce.sefaz.ms.gov.br', '/ws/', PLAIN),
    MT: authorizer('nfce.sefaz.mt.gov.br', 'homologacao.sefaz.mt.gov.br', '/nfcews/services/', SHORT_NAMES),
    PR: authorizer('nfce.sefa.pr.gov.br', 'homologacao.nfce.sefa.pr.gov.br', '/nfce/', PLAIN),
    RS: authorizer('nfce.sefazrs.rs.gov.br', 'nfce-homologacao.sefazrs.rs.gov.br', '/ws/', RIO_GRANDE),
    SP: authorizer('nfce.fazenda.sp.gov.br', 'homologacao.nfce.fazenda.sp.gov.br', '/ws/', ACTIVE_PAGES),
    SVRS: authorizer('nfce.svrs.rs.gov.br', 'nfce-homologacao.svrs.rs.gov.br', '/ws/', RIO_GRANDE),
  },
};

/** The states whose documents another authority takes; every other has its own, of its name. */
const VIRTUAL_55: Readonly<Partial<Record<State, string>>> = {
  AC: 'SVRS',
  AL: 'SVRS',
  AP: 'SVRS',
  CE: 'SVRS',
  DF: 'SVRS',
  ES: 'SVRS',
  MA: 'SVAN',
  PA: 'SVRS',
  PB: 'SVRS',
  PI: 'SVRS',
  RJ: 'SVRS',
  RN: 'SVRS',
  RO: 'SVRS',
  RR: 'SVRS',
  SC: 'SVRS',
  SE: 'SVRS',
  TO: 'SVRS',
};
const VIRTUAL_65: Readonly<Partial<Record<State, string>>> = {
  AC: 'SVRS',
  AL: 'SVRS',
  AP: 'SVRS',
  BA: 'SVRS',
  CE: 'SVRS',
  DF: 'SVRS',
  ES: 'SVRS',
  MA: 'SVRS',
  PA: 'SVRS',
  PB: 'SVRS',
  PE: 'SVRS',
  PI: 'SVRS',
  RJ: 'SVRS',
  RN: 'SVRS',
  RO: 'SVRS',
  RR: 'SVRS',
  SC: 'SVRS',
  SE: 'SVRS',
  TO: 'SVRS',
};

/** Who authorizes the documents of a state. */
export const authorizerOf = (model: 55 | 65, state: State): string =>
  (model === 55 ? VIRTUAL_55 : VIRTUAL_65)[state] ?? state;

export type Fallback = 'SVC-AN' | 'SVC-RS';

const BACKED_BY_RIO_GRANDE: ReadonlySet<State> = new Set<State>(['AM', 'BA', 'GO', 'MA', 'MS', 'MT', 'PE', 'PR']);

/** Who stands in for the authority of a state, for model 55, while the state has switched it on. */
export const fallbackOf = (state: State): Fallback => (BACKED_BY_RIO_GRANDE.has(state) ? 'SVC-RS' : 'SVC-AN');
