export type DocumentRef = { project: string; path: string }

/** The maximum size of a document that the API accepts. Larger ones are shown but can't be edited. */
export const MAX_EDITABLE_BYTES = 1024 * 1024

export function documentApiPath({ project, path }: DocumentRef): string {
  return `/web/projects/${encodeURIComponent(project)}/documents/${encodePath(path)}`
}

/** The URL path of a document's page. */
export function documentPagePath({ project, path }: DocumentRef): string {
  return `/projects/${encodeURIComponent(project)}/${encodePath(path)}`
}

export function fileNameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** True if the API accepts changes to the file. Transcripts and files that are not text are read-only. */
export function isWritableDocument(path: string): boolean {
  return !/^meetings(?:\/|$)/i.test(path) && /\.(?:md|markdown|txt)$/i.test(path)
}

export function isMarkdownFile(path: string): boolean {
  return /\.(?:md|markdown)$/i.test(path)
}

/** Links to meetings in the results of tasks. */
const MEETING_LINK = /^\/meetings\/meeting_\w+(?:#line-\d+)?$/

/** Resolves a document's relative link to a page of the same project, or to a meeting. Null for any other link. */
export function resolveLinkToPagePath({ project, path }: DocumentRef, href: string): string | null {
  if (MEETING_LINK.test(href)) return href
  if (/^[a-z][a-z0-9+.-]*:|^[/\\#]/i.test(href)) return null
  // An invented host, because URL.parse needs an absolute URL to resolve against.
  const base = `http://base${documentPagePath({ project, path })}`
  const url = URL.parse(href, base)
  const root = documentPagePath({ project, path: '' })
  if (url === null || url.host !== 'base' || !url.pathname.startsWith(root)) return null
  return url.pathname + url.hash
}

function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}

const SAVED_DOCUMENT_PATH = /^deployed-md-files\/docs\/([^/]+)\/(.+)$/

/** The page of a saved document, from its path in the data folder. Null if it is not in a project. */
export function savedDocumentPathToLink(
  documentPath: string,
): (DocumentRef & { href: string }) | null {
  const [, project, path] = SAVED_DOCUMENT_PATH.exec(documentPath) ?? []
  if (project === undefined || path === undefined) return null
  return { project, path, href: documentPagePath({ project, path }) }
}
