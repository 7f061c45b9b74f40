/** The element id of a transcript line, which is also the fragment of a link to the line. */
export function lineElementId(segmentNumber: number): string {
  return `line-${segmentNumber}`
}
