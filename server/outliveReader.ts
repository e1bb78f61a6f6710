/** Lets the process go on when whoever reads its output is gone, or the disk that it goes to is full: Node would end it. */
export function outliveReader(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
}
