/** Without this, Node ends the process when the program that reads its output has ended, or when the disk for it is full. */
export function outliveReader(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
}
