/** Where a document is: its project, and its path in it. */
export type DocumentRef = { project: string; path: string }

/** The service reads no more of a file, and takes none that is larger. */
export const MAX_EDITABLE_BYTES = 1024 * 1024

export function projectApiPath(project: string): string {
  return `/web/projects/${encodeURIComponent(project)}`
}

export function documentApiPath({ project, path }: DocumentRef): string {
  return `${projectApiPath(project)}/documents/${encodePath(path)}`
}

/** The page of a document. */
export function documentPagePath({ project, path }: DocumentRef): string {
  return `/projects/${encodeURIComponent(project)}/${encodePath(path)}`
}

export function fileNameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

/** Transcripts are written by the service alone; of other files it takes texts under these names. */
export function isWritable(path: string): boolean {
  return !/^meetings(?:\/|$)/i.test(path) && /\.(?:md|markdown|txt)$/i.test(path)
}

export function isMarkdown(path: string): boolean {
  return /\.(?:md|markdown)$/i.test(path)
}

/** Where a link inside a document leads, if that is a document of the same project. */
export function resolveLink({ project, path }: DocumentRef, href: string): string | null {
  if (/^[a-z][a-z0-9+.-]*:|^[/\\#]/i.test(href)) return null
  // A host of no account: it only gives the parser of addresses something to resolve against.
  const base = `http://place${documentPagePath({ project, path })}`
  const url = URL.parse(href, base)
  const root = documentPagePath({ project, path: '' })
  if (url === null || url.host !== 'place' || !url.pathname.startsWith(root)) return null
  return url.pathname + url.hash
}

export function formatFileSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} kB`
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}

function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}
