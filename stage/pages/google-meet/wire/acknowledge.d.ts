export function acknowledgement(buffer: ArrayBuffer): Uint8Array | null
