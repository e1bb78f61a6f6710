/** More pictures than that are let go, those first that were shown longest ago. */
const picturesMax = 50

const pictures = new Map<string, HTMLImageElement>()

/** Keeps a picture that was shown, also when nothing shows it any more: the next time it is there at once, without a frame of its own. */
export function keepPicture(src: string): void {
  const picture = pictures.get(src) ?? load(src)
  pictures.delete(src)
  pictures.set(src, picture)
  const [oldest] = pictures.keys()
  if (pictures.size > picturesMax && oldest !== undefined) pictures.delete(oldest)
}

function load(src: string): HTMLImageElement {
  const picture = new Image()
  picture.referrerPolicy = 'no-referrer'
  picture.src = src
  return picture
}
