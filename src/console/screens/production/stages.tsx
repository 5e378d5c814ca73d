import { useMay } from '../../client/session.js';
import { CheckField } from '../../parts/fields.js';
import { Outcome } from '../../parts/problem-note.js';
import { quantity } from '../../values/formats.js';
import { useWords } from '../../words/words.js';
import type { Order } from './orders.js';
import { isOpen, spokenName, useStage } from './orders.js';
import { words } from './words.js';

/** Stages are ticked by touch; what was ticked says by whom and when. */
export function Stages({ order }: { readonly order: Order }) {
  const t = useWords(words);
  const may = useMay();
  const tick = useStage(order.id);
  if (order.stages.length === 0) return null;
  const asked = tick.variables;
  const stage = order.stages.find(({ stageId }) => stageId === asked?.stageId);
  const canTick = isOpen(order) && may('production.manage');
  return (
    <div role="group" aria-label={spokenName(order)}>
      <ul class="stages">
        {order.stages.map(({ stageId, name, done, required, standardMinutes, workCenter }) => (
          <li key={stageId}>
            <CheckField
              label={name}
              hint={[
                workCenter,
                standardMinutes !== null && t('minutes', { count: quantity(standardMinutes) }),
                required && t('required'),
              ]
                .filter(Boolean)
                .join(' · ')}
              checked={tick.isPending && tick.variables.stageId === stageId ? tick.variables.done : done}
              disabled={!canTick}
              waiting={tick.isPending}
              onChecked={(checked) => {
                tick.mutate({ stageId, done: checked });
              }}
            />
          </li>
        ))}
      </ul>
      <Outcome error={tick.error} isThere={stage?.done === asked?.done} />
    </div>
  );
}
