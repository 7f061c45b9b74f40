/** The address of the n-th room, in Google Meet's format. */
export function roomAddress(room: number): string {
  const letters = String(room)
    .padStart(3, '0')
    .replace(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '')
  return `https://meet.google.com/${letters}-room-abc`
}
