import { useState } from 'preact/hooks';
import { api, body } from '../../client/api.js';
import { useCommand } from '../../client/queries.js';
import { useMay } from '../../client/session.js';
import { useFilter } from '../../parts/address.js';
import { Button } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';
import { DestructiveDialog } from '../../parts/destructive-dialog.js';
import { SelectField } from '../../parts/fields.js';
import { Facts, Page } from '../../parts/page.js';
import { Outcome } from '../../parts/problem-note.js';
import { Empty, Shown } from '../../parts/shown.js';
import { Status } from '../../parts/status.js';
import { money } from '../../values/formats.js';
import { useWords } from '../../words/words.js';
import type { Configuration, Machine } from './configuration.js';
import { CardTabs, KINDS, useConfiguration, useMachine } from './configuration.js';
import { MachineForm } from './machine-form.js';
import { RateGrid } from './rate-grid.js';
import { SaleRules } from './sale-rules.js';
import { words } from './words.js';

/** The card machines, what each takes, and what counts for all of them. */
export function Machines() {
  const t = useWords(words);
  const may = useMay();
  const configuration = useConfiguration();
  const [chosen, setChosen] = useFilter('machine');
  const [isNew, setNew] = useState(false);
  const closeNew = () => {
    setNew(false);
  };
  const create = may('cardFees.manage') && (
    <Button
      icon="plus"
      look="main"
      onClick={() => {
        setNew(true);
      }}
    >
      {t('create')}
    </Button>
  );
  return (
    <Page title={t('title')} actions={create}>
      <CardTabs current="rates" />
      <Shown reading={configuration}>
        {(found) => (
          <>
            <Chosen configuration={found} chosen={chosen} setChosen={setChosen} />
            <SaleRules configuration={found} />
          </>
        )}
      </Shown>
      {isNew && (
        <Dialog title={t('create')} onClose={closeNew}>
          <MachineForm
            onClose={closeNew}
            onDone={({ id }) => {
              closeNew();
              setChosen(id);
            }}
          />
        </Dialog>
      )}
    </Page>
  );
}

/** What is asked about which machine. */
interface Asked {
  readonly about: 'edit' | 'delete';
  readonly machine: Machine;
}

function Chosen({
  configuration,
  chosen,
  setChosen,
}: {
  readonly configuration: Configuration;
  readonly chosen: string;
  readonly setChosen: (id: string) => void;
}) {
  const { accounts } = configuration;
  const machine = accounts.find(({ id }) => id === chosen) ?? accounts.find(({ active }) => active) ?? accounts[0];
  const [asked, ask] = useState<Asked>();
  const close = () => {
    ask(undefined);
  };
  return (
    <>
      <MachineShown {...{ configuration, machine, setChosen, ask }} />
      {/* It stays, with what is typed in it, also where somebody else deletes the machine. */}
      {asked?.about === 'edit' && <EditMachine machine={asked.machine} onClose={close} />}
      {asked?.about === 'delete' && (
        <DeleteMachine
          machine={asked.machine}
          onDeleted={() => {
            setChosen('');
          }}
          onClose={close}
        />
      )}
    </>
  );
}

/** The chosen machine: what is known of it, what can be done with it, its rates. */
function MachineShown({
  configuration,
  machine,
  setChosen,
  ask,
}: {
  readonly configuration: Configuration;
  readonly machine: Machine | undefined;
  readonly setChosen: (id: string) => void;
  readonly ask: (asked: Asked) => void;
}) {
  const t = useWords(words);
  const may = useMay();
  const { accounts } = configuration;
  if (!machine) return <Empty title={t('noMachines')} />;
  return (
    <div class="stack">
      <div class="filters">
        <SelectField
          label={t('machine')}
          required
          value={machine.id}
          onValue={setChosen}
          choices={accounts.map(({ id, name }) => ({ value: id, label: name }))}
        />
        {machine.active && <Status tone="good">{t('inUse')}</Status>}
        {machine.useForPaymentLink && <Status tone="active">{t('forLinks')}</Status>}
      </div>
      <Facts
        facts={[
          [t('acquirer'), machine.acquirer ?? '–'],
          [t('terminal'), machine.terminalId ?? '–'],
          [t('fixedFee'), money(machine.fixedFee)],
          [t('daysDebit'), t('inDays', { n: machine.settlementDaysDebit })],
          [t('daysCredit'), t('inDays', { n: machine.settlementDaysCredit })],
        ]}
      />
      {may('cardFees.manage') && <MachineActions key={machine.id} {...{ machine, ask }} />}
      <RateGrid key={`rates ${machine.id}`} configuration={configuration} machine={machine} />
    </div>
  );
}

/** What can be done with a machine: choose it for sales or payment links, change it, delete it. */
function MachineActions({ machine, ask }: { readonly machine: Machine; readonly ask: (asked: Asked) => void }) {
  const t = useWords(words);
  const params = { path: { accountId: machine.id } };
  const use = useCommand({
    send: (_: null, headers) => body(api.POST('/card-fees/accounts/{accountId}/activate', { params, headers })),
    kinds: KINDS,
  });
  const link = useCommand({
    send: (_: null, headers) =>
      body(api.POST('/card-fees/accounts/{accountId}/use-for-payment-link', { params, headers })),
    kinds: KINDS,
  });
  return (
    <div class="row no-print">
      {!machine.active && (
        <Button
          busy={use.isPending}
          onClick={() => {
            use.mutate(null);
          }}
        >
          {t('use')}
        </Button>
      )}
      {!machine.useForPaymentLink && (
        <Button
          busy={link.isPending}
          onClick={() => {
            link.mutate(null);
          }}
        >
          {t('useForLinks')}
        </Button>
      )}
      <Button
        onClick={() => {
          ask({ about: 'edit', machine });
        }}
      >
        {t('edit')}
      </Button>
      {!machine.active && (
        <Button
          icon="bin"
          look="danger"
          onClick={() => {
            ask({ about: 'delete', machine });
          }}
        >
          {t('delete')}
        </Button>
      )}
      <Outcome error={use.error} isThere={machine.active} />
      <Outcome error={link.error} isThere={machine.useForPaymentLink} />
    </div>
  );
}

function EditMachine({ machine, onClose }: { readonly machine: Machine; readonly onClose: () => void }) {
  const t = useWords(words);
  const reading = useMachine(machine.id);
  return (
    <Dialog title={t('edit')} onClose={onClose}>
      <Shown reading={reading}>{(found) => <MachineForm machine={found} onClose={onClose} onDone={onClose} />}</Shown>
    </Dialog>
  );
}

function DeleteMachine({
  machine,
  onDeleted,
  onClose,
}: {
  readonly machine: Machine;
  readonly onDeleted: () => void;
  readonly onClose: () => void;
}) {
  const t = useWords(words);
  const path = { accountId: machine.id };
  return (
    <DestructiveDialog
      title={t('deleteMachine', { name: machine.name })}
      submit={t('delete')}
      subject={['account', machine.id]}
      kinds={KINDS}
      send={(sent) =>
        api.DELETE('/card-fees/accounts/{accountId}', {
          params: { path },
          ...sent,
        })
      }
      onDone={() => {
        onClose();
        onDeleted();
      }}
      onClose={onClose}
    >
      {() => <p>{t('deleteMachineLead')}</p>}
    </DestructiveDialog>
  );
}
