import { CheckField, TextField } from '../../parts/fields.js';
import type { FormState } from '../../parts/form.js';
import { useWords } from '../../words/words.js';
import type { Destination } from './remedy.js';
import { eventNames, words } from './words.js';

type Events = NonNullable<Destination['events']>;

export interface DestinationValues {
  url: string;
  description: string;
  active: boolean;
  /** All where it is empty. */
  events: Events;
}

const EVENTS: Events = [
  'fiscal.document.authorized',
  'fiscal.document.rejected',
  'fiscal.document.cancelled',
  'fiscal.document.contingency',
  'fiscal.document.failed',
];

export const bodyOf = ({ url, description, active, events }: DestinationValues) => ({
  url: url.trim(),
  description: description.trim() || null,
  active,
  events: events.length === 0 ? null : events,
});

/** Where to send, and what. */
export function DestinationFields({
  form: { values, set },
  disabled = false,
}: {
  readonly form: FormState<DestinationValues>;
  readonly disabled?: boolean;
}) {
  const t = useWords(words);
  const event = useWords(eventNames);
  return (
    <>
      <TextField
        label={t('address')}
        hint={t('addressHint')}
        path="url"
        type="url"
        inputMode="url"
        required
        {...{ disabled }}
        maxLength={500}
        value={values.url}
        onValue={(url) => {
          // Whoever pastes an address after the beginning that is there means what was pasted.
          set('url', url.replace(/^https:\/\/(?=https?:\/\/)/, ''));
        }}
      />
      <TextField
        label={t('description')}
        path="description"
        {...{ disabled }}
        maxLength={200}
        value={values.description}
        onValue={(description) => {
          set('description', description);
        }}
      />
      <fieldset {...{ disabled }}>
        <legend class="legend">{t('events')}</legend>
        <CheckField
          label={t('allEvents')}
          checked={values.events.length === 0}
          onChecked={(all) => {
            set('events', all ? [] : [...EVENTS]);
          }}
        />
        {values.events.length > 0 &&
          EVENTS.map((name) => (
            <CheckField
              key={name}
              label={event(name)}
              checked={values.events.includes(name)}
              onChecked={(wanted) => {
                set('events', wanted ? [...values.events, name] : values.events.filter((one) => one !== name));
              }}
            />
          ))}
      </fieldset>
      <CheckField
        label={t('active')}
        hint={t('inactiveHint')}
        {...{ disabled }}
        checked={values.active}
        onChecked={(active) => {
          set('active', active);
        }}
      />
    </>
  );
}
