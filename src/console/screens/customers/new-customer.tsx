import { api, body } from '../../client/api.js';
import { useCommand } from '../../client/queries.js';
import { Form, useForm } from '../../parts/form.js';
import { useGoOn } from '../../parts/go-on.js';
import { Page } from '../../parts/page.js';
import { frame } from '../../words/frame.js';
import { useWords } from '../../words/words.js';
import type { CustomerValues } from './customer-fields.js';
import { bodyOf, CustomerFields, noCustomer } from './customer-fields.js';
import { words } from './words.js';

export function NewCustomer() {
  const t = useWords(words);
  const shared = useWords(frame);
  const goOn = useGoOn();
  const form = useForm(noCustomer);
  const create = useCommand({
    send: (values: CustomerValues, headers) => body(api.POST('/customers', { body: bodyOf(values), headers })),
    adds: '/customers',
    kinds: ['customer'],
    onDone({ id }) {
      form.reset(form.values);
      goOn(`/clientes/${id}`, { replace: true });
    },
  });
  return (
    <Page title={t('create')} back={{ href: '/clientes', label: t('title') }}>
      <Form
        sending={create}
        submit={shared('save')}
        form={form}
        onSubmit={() => {
          create.mutate(form.values);
        }}
      >
        <CustomerFields form={form} />
      </Form>
    </Page>
  );
}
