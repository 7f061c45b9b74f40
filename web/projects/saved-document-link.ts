import { documentPagePath, type DocumentRef } from './document-ref.ts'

const SAVED_DOCUMENT_PATH = /^deployed-md-files\/docs\/([^/]+)\/(.+)$/

/** The page of a saved document, from its path in the data folder. Null if it is not in a project. */
export function savedDocumentPathToLink(
  documentPath: string,
): (DocumentRef & { href: string }) | null {
  const [, project, path] = SAVED_DOCUMENT_PATH.exec(documentPath) ?? []
  if (project === undefined || path === undefined) return null
  return { project, path, href: documentPagePath({ project, path }) }
}
