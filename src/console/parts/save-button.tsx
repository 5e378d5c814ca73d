import { save } from '../client/api.js';
import { useCommand } from '../client/queries.js';
import { Button } from './button.js';
import { ProblemNote } from './problem-note.js';

/** Saves a file of the service; it says so while the file is being made, which may take a while. */
export function SaveButton({ path, children }: { readonly path: string; readonly children: string }) {
  const saving = useCommand({ send: (wanted: string) => save(wanted), kinds: [] });
  return (
    <>
      <Button
        icon="save"
        busy={saving.isPending}
        onClick={() => {
          saving.mutate(path);
        }}
      >
        {children}
      </Button>
      <ProblemNote error={saving.error} />
    </>
  );
}
