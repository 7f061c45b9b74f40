/** The number of the transcript line that contains an element; null outside of the transcript. */
export function lineNumberOf(element: EventTarget | Element | null): number | null {
  if (!(element instanceof Element)) return null
  const line = element.closest('.transcript .line[id]')
  const [, digits] = /^line-(\d+)$/.exec(line?.id ?? '') ?? []
  return digits === undefined ? null : Number(digits)
}
