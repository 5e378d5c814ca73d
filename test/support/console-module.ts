import { build } from 'esbuild';

/** A module of the console, which is built apart from the service; for what it works out without a browser. */
export async function consoleModule<M>(path: string): Promise<M> {
  const { outputFiles } = await build({
    entryPoints: [`src/console/${path}`],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
  });
  const [file] = outputFiles;
  if (!file) throw new Error(`nothing was built of ${path}`);
  return (await import(`data:text/javascript,${encodeURIComponent(file.text)}`)) as M;
}
