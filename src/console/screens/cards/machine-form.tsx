import type { Tagged } from '../../client/api.js';
import { api, tagged } from '../../client/api.js';
import { ifMatch, useCommand } from '../../client/queries.js';
import { DialogForm } from '../../parts/dialog-form.js';
import { NumberField, TextField } from '../../parts/fields.js';
import { useRecordForm } from '../../parts/record-form.js';
import { plainMoney, readNumber } from '../../values/formats.js';
import { useWords } from '../../words/words.js';
import type { Machine } from './configuration.js';
import { KINDS } from './configuration.js';
import { words } from './words.js';

interface Typed {
  readonly name: string;
  readonly acquirer: string;
  readonly acquirerTaxId: string;
  readonly terminalId: string;
  readonly fixedFee: string;
  readonly settlementDaysDebit: string;
  readonly settlementDaysCredit: string;
}

const FIELD_NAMES = {
  name: 'name',
  acquirer: 'acquirer',
  acquirerTaxId: 'acquirerTaxId',
  terminalId: 'terminal',
  fixedFee: 'fixedFee',
  settlementDaysDebit: 'daysDebit',
  settlementDaysCredit: 'daysCredit',
} as const;

const NEXT_DAY = '1';
const NEXT_MONTH = '30';

const typedOf = (machine: Machine | undefined): Typed => ({
  name: machine?.name ?? '',
  acquirer: machine?.acquirer ?? '',
  acquirerTaxId: machine?.acquirerTaxId ?? '',
  terminalId: machine?.terminalId ?? '',
  fixedFee: plainMoney(machine?.fixedFee ?? 0),
  settlementDaysDebit: machine ? String(machine.settlementDaysDebit) : NEXT_DAY,
  settlementDaysCredit: machine ? String(machine.settlementDaysCredit) : NEXT_MONTH,
});

const sentOf = ({ name, acquirer, acquirerTaxId, terminalId, ...figures }: Typed) => ({
  name: name.trim(),
  acquirer: acquirer.trim() || null,
  acquirerTaxId: acquirerTaxId.trim() || null,
  terminalId: terminalId.trim() || null,
  fixedFee: readNumber(figures.fixedFee) ?? 0,
  settlementDaysDebit: readNumber(figures.settlementDaysDebit) ?? 0,
  settlementDaysCredit: readNumber(figures.settlementDaysCredit) ?? 0,
});

const NEW = { record: undefined, etag: '' };

/** A new machine, or what is known of one. */
export function MachineForm({
  machine,
  onDone,
  onClose,
}: {
  readonly machine?: Tagged<Machine> | undefined;
  readonly onDone: (machine: Machine) => void;
  readonly onClose: () => void;
}) {
  const t = useWords(words);
  const form = useRecordForm<Machine | undefined, Typed>(machine ?? NEW, typedOf, (field) => t(FIELD_NAMES[field]));
  const save = useCommand({
    send: (typed: Typed, headers) => {
      const sent = sentOf(typed);
      if (!machine) return tagged(api.POST('/card-fees/accounts', { body: sent, headers }));
      const params = { path: { accountId: machine.record.id } };
      const own = ifMatch(headers, form);
      return tagged(api.PATCH('/card-fees/accounts/{accountId}', { params, body: sent, headers: own }));
    },
    adds: machine ? undefined : '/card-fees/accounts',
    kinds: KINDS,
    onDone: ({ record }) => {
      onDone(record);
    },
  });
  return (
    <DialogForm form={form} saving={save} onClose={onClose}>
      <TextField label={t('name')} required maxLength={60} {...form.field('name')} />
      <TextField label={t('acquirer')} hint={t('acquirerHint')} maxLength={60} {...form.field('acquirer')} />
      <TextField label={t('acquirerTaxId')} maxLength={30} {...form.field('acquirerTaxId')} />
      <TextField label={t('terminal')} maxLength={40} {...form.field('terminalId')} />
      <NumberField label={t('fixedFee')} hint={t('fixedFeeHint')} unit="R$" required {...form.field('fixedFee')} />
      <NumberField label={t('daysDebit')} unit={t('days')} required {...form.field('settlementDaysDebit')} />
      <NumberField label={t('daysCredit')} unit={t('days')} required {...form.field('settlementDaysCredit')} />
    </DialogForm>
  );
}
