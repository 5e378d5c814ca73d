import { openFile, save } from '../client/api.js';
import { useCommand } from '../client/queries.js';
import { Button } from './button.js';
import type { IconName } from './icon.js';
import { ProblemNote } from './problem-note.js';

interface FileButtonProps {
  readonly path: string;
  readonly children: string;
  readonly icon?: IconName;
  readonly look?: 'quiet';
}

/** Does something with a file of the service: it says so while the file is being made, which may take a while, and why where it does not come. */
function FileButton({ path, take, ...button }: FileButtonProps & { readonly take: (path: string) => Promise<void> }) {
  const taking = useCommand({ send: take, kinds: [] });
  return (
    <>
      <Button
        {...button}
        busy={taking.isPending}
        onClick={() => {
          taking.mutate(path);
        }}
      />
      <ProblemNote error={taking.error} />
    </>
  );
}

/** Saves a file of the service. */
export function SaveButton(file: Pick<FileButtonProps, 'path' | 'children'>) {
  return <FileButton {...file} icon="save" take={save} />;
}

/** Opens a file of the service in a tab of its own. */
export function OpenButton(file: FileButtonProps) {
  return <FileButton {...file} take={openFile} />;
}
