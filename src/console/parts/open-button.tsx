import { openFile } from '../client/api.js';
import { useCommand } from '../client/queries.js';
import type { IconName } from './icon.js';
import { Button } from './button.js';
import { ProblemNote } from './problem-note.js';

/** Opens a file of the service in a tab of its own, and says where that could not be. */
export function OpenButton({
  path,
  children,
  icon,
  look,
}: {
  readonly path: string;
  readonly children: string;
  readonly icon?: IconName;
  readonly look?: 'quiet';
}) {
  const opening = useCommand({ send: (wanted: string) => openFile(wanted), kinds: [] });
  return (
    <>
      <Button
        {...(icon ? { icon } : {})}
        {...(look ? { look } : {})}
        busy={opening.isPending}
        onClick={() => {
          opening.mutate(path);
        }}
      >
        {children}
      </Button>
      <ProblemNote error={opening.error} />
    </>
  );
}
