import { z } from 'zod';
import { cpfOrCnpj } from '../../brazil/cpf.js';
import { addressBody } from '../contracts/fiscal-settings.js';
import { name } from '../../kernel/values/fields.js';

const NAME_LENGTH = 200;
const LONGEST_ADDRESS = 254;

/** Kept without its punctuation, with the plus sign of a country code. */
const phone = z
  .string()
  .max(30, { error: 'must have at most 30 characters' })
  .transform((text) => text.replace(/[\s().-]/g, ''))
  .refine((text) => /^\+?[0-9]{8,15}$/.test(text), { error: 'must be a phone number of 8 to 15 digits' })
  .meta({
    type: 'string',
    description: 'A phone number of 8 to 15 digits, with or without punctuation',
    examples: ['(11) 98765-4321', '+55 11 98765-4321'],
  });

const email = z
  .email({ error: 'must be an e-mail address' })
  .max(LONGEST_ADDRESS, { error: `must have at most ${LONGEST_ADDRESS} characters` });

/** A company's registration in its state: digits, or that it is exempt from having one. */
const stateRegistration = z
  .string()
  .max(30)
  .transform((text) => text.replace(/[\s./-]/g, '').toUpperCase())
  .refine((text) => text === 'ISENTO' || /^[0-9]{2,14}$/.test(text), {
    error: 'must be 2 to 14 digits, or ISENTO',
  })
  .meta({
    type: 'string',
    description: '2 to 14 digits of a taxpayer, with or without punctuation; ISENTO of an exempt one',
    examples: ['110.042.490.114', 'ISENTO'],
  });

const contact = {
  document: cpfOrCnpj.nullable().optional(),
  email: email.nullable().optional(),
  phone: phone.nullable().optional(),
  stateRegistration: stateRegistration.nullable().optional(),
  address: addressBody.nullable().optional(),
};

export const newCustomer = z.strictObject({ name: name(NAME_LENGTH), ...contact }).meta({ id: 'CustomerBody' });
export const customerChanges = z
  .strictObject({ name: name(NAME_LENGTH).optional(), ...contact })
  .meta({ id: 'CustomerChanges' });
