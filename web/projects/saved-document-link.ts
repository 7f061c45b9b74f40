const SAVED_DOCUMENT_PATH = /^deployed-md-files\/docs\/([^/]+)\/(.+)$/

/** The page of a saved document, from its path below the data folder. */
export function savedDocumentLink(documentPath: string): { path: string; href: string } | null {
  const [, project, path] = SAVED_DOCUMENT_PATH.exec(documentPath) ?? []
  if (project === undefined || path === undefined) return null
  const parts = [project, ...path.split('/')].map(encodeURIComponent)
  return { path: `${project}/${path}`, href: `/projects/${parts.join('/')}` }
}
