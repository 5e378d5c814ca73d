import type { State } from './states.js';

/** Where a consumer looks up a consumer's note: the address inside its QR code, and the one that is printed. */
export interface ConsumerAddresses {
  readonly qrCode: string;
  readonly consultation: string;
}

export const CONSUMER_ADDRESSES: Readonly<
  Record<State, { readonly production: ConsumerAddresses; readonly homologation: ConsumerAddresses }>
> = {
  AC: {
    production: {
      qrCode: 'http://www.sefaznet.ac.gov.br/nfce/qrcode',
      consultation: 'www.sefaznet.ac.gov.br/nfce/consulta',
    },
    homologation: {
      qrCode: 'http://www.hml.sefaznet.ac.gov.br/nfce/qrcode',
      consultation: 'www.sefaznet.ac.gov.br/nfce/consulta',
    },
  },
  AL: {
    production: {
      qrCode: 'http://nfce.sefaz.al.gov.br/QRCode/consultarNFCe.jsp',
      consultation: 'www.sefaz.al.gov.br/nfce/consulta',
    },
    homologation: {
      qrCode: 'http://nfce.sefaz.al.gov.br/QRCode/consultarNFCe.jsp',
      consultation: 'www.sefaz.al.gov.br/nfce/consulta',
    },
  },
  AM: {
    production: {
      qrCode: 'https://sistemas.sefaz.am.gov.br/nfceweb/consultarNFCe.jsp',
      consultation: 'www.sefaz.am.gov.br/nfce/consulta',
    },
    homologation: {
      qrCode: 'https://sistemas.sefaz.am.gov.br/nfceweb-hom/consultarNFCe.jsp',
      consultation: 'www.sefaz.am.gov.br/nfce/consulta',
    },
  },
  AP: {
    production: {
      qrCode: 'https://www.sefaz.ap.gov.br/nfce/nfcep.php',
      consultation: 'www.sefaz.ap.gov.br/nfce/consulta',
    },
    homologation: {
      qrCode: 'https://www.sefaz.ap.gov.br/nfcehml/nfce.php',
      consultation: 'www.sefaz.ap.gov.br/nfce/consulta',
    },
  },
  BA: {
    production: {
      qrCode: 'http://nfe.sefaz.ba.gov.br/servicos/nfce/qrcode.aspx',
      consultation: 'http://www.sefaz.ba.gov.br/nfce/consulta',
    },
    homologation: {
      qrCode: 'http://hnfe.sefaz.ba.gov.br/servicos/nfce/qrcode.aspx',
      consultation: 'http://hinternet.sefaz.ba.gov.br/nfce/consulta',
    },
  },
  CE: {
    production: {
      qrCode: 'http://nfce.sefaz.ce.gov.br/pages/ShowNFCe.html',
      consultation: 'www.sefaz.ce.gov.br/nfce/consulta',
    },
    homologation: {
      qrCode: 'http://nfceh.sefaz.ce.gov.br/pages/ShowNFCe.html',
      consultation: 'www.sefaz.ce.gov.br/nfce/consulta',
    },
  },
  DF: {
    production: {
      qrCode: 'http://www.fazenda.df.gov.br/nfce/qrcode',
      consultation: 'www.fazenda.df.gov.br/nfce/consulta',
    },
    homologation: {
      qrCode: 'http://www.fazenda.df.gov.br/nfce/qrcode',
      consultation: 'www.fazenda.df.gov.br/nfce/consulta',
    },
  },
  ES: {
    production: {
      qrCode: 'http://app.sefaz.es.gov.br/ConsultaNFCe/qrcode.aspx',
      consultation: 'www.sefaz.es.gov.br/nfce/consulta',
    },
    homologation: {
      qrCode: 'http://homologacao.sefaz.es.gov.br/ConsultaNFCe/qrcode.aspx',
      consultation: 'www.sefaz.es.gov.br/nfce/consulta',
    },
  },
  GO: {
    production: {
      qrCode: 'https://nfeweb.sefaz.go.gov.br/nfeweb/sites/nfce/danfeNFCe',
      consultation: 'www.sefaz.go.gov.br/nfce/consulta',
    },
    homologation: {
      qrCode: 'https://nfewebhomolog.sefaz.go.gov.br/nfeweb/sites/nfce/danfeNFCe',
      consultation: 'https://nfewebhomolog.sefaz.go.gov.br/nfeweb/sites/nfce/danfeNFCe',
    },
  },
  MA: {
    production: {
      qrCode: 'http://www.nfce.sefaz.ma.gov.br/portal/consultarNFCe.jsp',
      consultation: 'www.sefaz.ma.gov.br/nfce/consulta',
    },
    homologation: {
      qrCode: 'http://www.hom.nfce.sefaz.ma.gov.br/portal/consultarNFCe.jsp',
      consultation: 'www.sefaz.ma.gov.br/nfce/consulta',
    },
  },
  MG: {
    production: {
      qrCode: 'https://portalsped.fazenda.mg.gov.br/portalnfce/sistema/qrcode.xhtml',
      consultation: 'https://portalsped.fazenda.mg.gov.br/portalnfce',
    },
    homologation: {
      qrCode: 'https://portalsped.fazenda.mg.gov.br/portalnfce/sistema/qrcode.xhtml',
      consultation: 'https://hportalsped.fazenda.mg.gov.br/portalnfce',
    },
  },
  MS: {
    production: {
      qrCode: 'http://www.dfe.ms.gov.br/nfce/qrcode',
      consultation: 'http://www.dfe.ms.gov.br/nfce/consulta',
    },
    homologation: {
      qrCode: 'http://www.dfe.ms.gov.br/nfce/qrcode',
      consultation: 'http://www.dfe.ms.gov.br/nfce/consulta',
    },
  },
  MT: {
    production: {
      qrCode: 'http://www.sefaz.mt.gov.br/nfce/consultanfce',
      consultation: 'http://www.sefaz.mt.gov.br/nfce/consultanfce',
    },
    homologation: {
      qrCode: 'http://homologacao.sefaz.mt.gov.br/nfce/consultanfce',
      consultation: 'http://homologacao.sefaz.mt.gov.br/nfce/consultanfce',
    },
  },
  PA: {
    production: {
      qrCode: 'https://appnfc.sefa.pa.gov.br/portal/view/consultas/nfce/nfceForm.seam',
      consultation: 'www.sefa.pa.gov.br/nfce/consulta',
    },
    homologation: {
      qrCode: 'https://appnfc.sefa.pa.gov.br/portal-homologacao/view/consultas/nfce/nfceForm.seam',
      consultation: 'www.sefa.pa.gov.br/nfce/consulta',
    },
  },
  PB: {
    production: {
      qrCode: 'http://www.sefaz.pb.gov.br/nfce',
      consultation: 'www.sefaz.pb.gov.br/nfce/consulta',
    },
    homologation: {
      qrCode: 'http://www.sefaz.pb.gov.br/nfcehom',
      consultation: 'www.sefaz.pb.gov.br/nfcehom',
    },
  },
  PE: {
    production: {
      qrCode: 'http://nfce.sefaz.pe.gov.br/nfce/consulta',
      consultation: 'nfce.sefaz.pe.gov.br/nfce/consulta',
    },
    homologation: {
      qrCode: 'http://nfcehomolog.sefaz.pe.gov.br/nfce/consulta',
      consultation: 'nfce.sefaz.pe.gov.br/nfce/consulta',
    },
  },
  PI: {
    production: {
      qrCode: 'http://www.sefaz.pi.gov.br/nfce/qrcode',
      consultation: 'www.sefaz.pi.gov.br/nfce/consulta',
    },
    homologation: {
      qrCode: 'http://www.sefaz.pi.gov.br/nfce/qrcode',
      consultation: 'www.sefaz.pi.gov.br/nfce/consulta',
    },
  },
  PR: {
    production: {
      qrCode: 'http://www.fazenda.pr.gov.br/nfce/qrcode',
      consultation: 'http://www.fazenda.pr.gov.br/nfce/consulta',
    },
    homologation: {
      qrCode: 'http://www.fazenda.pr.gov.br/nfce/qrcode',
      consultation: 'http://www.fazenda.pr.gov.br/nfce/consulta',
    },
  },
  RJ: {
    production: {
      qrCode: 'https://consultadfe.fazenda.rj.gov.br/consultaNFCe/QRCode',
      consultation: 'www.fazenda.rj.gov.br/nfce/consulta',
    },
    homologation: {
      qrCode: 'https://consultadfe.fazenda.rj.gov.br/consultaNFCe/QRCode',
      consultation: 'www.fazenda.rj.gov.br/nfce/consulta',
    },
  },
  RN: {
    production: {
      qrCode: 'https://nfce.sefaz.rn.gov.br/consultarNFCe.aspx',
      consultation: 'https://nfce.sefaz.rn.gov.br/portalDFE/NFCe/ConsultaNFCe.aspx',
    },
    homologation: {
      qrCode: 'https://hom.nfce.sefaz.rn.gov.br/consultarNFCe.aspx',
      consultation: 'https://hom.nfce.sefaz.rn.gov.br/portalDFE/NFCe/ConsultaNFCe.aspx',
    },
  },
  RO: {
    production: {
      qrCode: 'http://www.nfce.sefin.ro.gov.br/consultanfce/consulta.jsp',
      consultation: 'www.sefin.ro.gov.br/nfce/consulta',
    },
    homologation: {
      qrCode: 'http://www.nfce.sefin.ro.gov.br/consultanfce/consulta.jsp',
      consultation: 'www.sefin.ro.gov.br/nfce/consulta',
    },
  },
  RR: {
    production: {
      qrCode: 'https://www.sefaz.rr.gov.br/nfce/servlet/qrcode',
      consultation: 'www.sefaz.rr.gov.br/nfce/consulta',
    },
    homologation: {
      qrCode: 'http://200.174.88.103:8080/nfce/servlet/qrcode',
      consultation: 'www.sefaz.rr.gov.br/nfce/consulta',
    },
  },
  RS: {
    production: {
      qrCode: 'https://www.sefaz.rs.gov.br/NFCE/NFCE-COM.aspx',
      consultation: 'www.sefaz.rs.gov.br/nfce/consulta',
    },
    homologation: {
      qrCode: 'https://www.sefaz.rs.gov.br/NFCE/NFCE-COM.aspx',
      consultation: 'www.sefaz.rs.gov.br/nfce/consulta',
    },
  },
  SC: {
    production: {
      qrCode: 'https://sat.sef.sc.gov.br/nfce/consulta',
      consultation: 'https://sat.sef.sc.gov.br/nfce/consulta',
    },
    homologation: {
      qrCode: 'https://hom.sat.sef.sc.gov.br/nfce/consulta',
      consultation: 'https://hom.sat.sef.sc.gov.br/nfce/consulta',
    },
  },
  SE: {
    production: {
      qrCode: 'http://www.nfce.se.gov.br/nfce/qrcode',
      consultation: 'http://www.nfce.se.gov.br/nfce/consulta',
    },
    homologation: {
      qrCode: 'http://www.hom.nfe.se.gov.br/nfce/qrcode',
      consultation: 'http://www.hom.nfe.se.gov.br/nfce/consulta',
    },
  },
  SP: {
    production: {
      qrCode: 'https://www.nfce.fazenda.sp.gov.br/qrcode',
      consultation: 'https://www.nfce.fazenda.sp.gov.br/consulta',
    },
    homologation: {
      qrCode: 'https://www.homologacao.nfce.fazenda.sp.gov.br/qrcode',
      consultation: 'https://www.homologacao.nfce.fazenda.sp.gov.br/consulta',
    },
  },
  TO: {
    production: {
      qrCode: 'http://www.sefaz.to.gov.br/nfce/qrcode',
      consultation: 'www.sefaz.to.gov.br/nfce/consulta',
    },
    homologation: {
      qrCode: 'http://homologacao.sefaz.to.gov.br/nfce/qrcode',
      consultation: 'http://homologacao.sefaz.to.gov.br/nfce/consulta.jsf',
    },
  },
};
