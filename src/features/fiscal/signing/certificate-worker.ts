import { parentPort, workerData } from 'node:worker_threads';
import type { CertificateAnswer, CertificateFile } from './certificate-reader.js';
import { CertificateRefused, checkCertificate, readCertificate } from './certificates.js';

function answer({ format, content, password, taxId, now }: CertificateFile): CertificateAnswer {
  try {
    const stored = readCertificate(format, Buffer.from(content, 'base64'), password);
    return { stored, facts: checkCertificate(stored, taxId, now) };
  } catch (error) {
    if (!(error instanceof CertificateRefused)) throw error;
    return { refused: error.message };
  }
}

parentPort?.postMessage(answer(workerData as CertificateFile));
