/** What the address of a line ends with, apart from the page of a meeting: others lead to lines too. */
export function lineId(segmentNumber: number): string {
  return `line-${segmentNumber}`
}
