/** Lets the browser save a text as a file. */
export function saveTextFile(name: string, text: string, type: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type }))
  link.download = name
  link.click()
  // The browser has its own copy as soon as the download has begun.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}

/** A file name made of a title, with nothing that a file system may refuse. */
export function toFileName(title: string, otherwise: string): string {
  return (
    title
      .replaceAll(/[^\p{L}\p{N} ._-]+/gu, ' ')
      .trim()
      .slice(0, 80) || otherwise
  )
}
