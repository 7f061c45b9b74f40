import { Link } from '@tanstack/react-router'
import { VisuallyHidden } from '@mantine/core'
import { useState } from 'react'
import type { ApiDocument } from '../../src/http/shapes/projects.ts'
import { isNotFoundError } from '../api/api-error.ts'
import { ErrorBox, LoadingIndicator } from '../ui/feedback/feedback.tsx'
import { LoadMoreButton } from '../ui/tables/data-table.tsx'
import { type DocumentRef, fileNameOf } from './document-ref.ts'
import { useFolderContents } from './queries.ts'
import { Name, projectPage } from '../ui/links.tsx'
import { Hint } from '../ui/text.tsx'

interface FileTreeProps {
  project: string
  /** The path of the open document. */
  currentPath: string
}

/** Nested lists of links. Each folder is loaded page by page when it is opened, because it can be very large. */
export function FileTree({ project, currentPath }: FileTreeProps) {
  return (
    <nav aria-label="Files" className="tree">
      <Folder documentRef={{ project, path: '' }} current={currentPath} />
    </nav>
  )
}

function Folder({ documentRef, current }: { documentRef: DocumentRef; current: string }) {
  const { project, path } = documentRef
  const query = useFolderContents(documentRef)
  const { data, error, hasNextPage } = query
  // The page beside the tree says that the project does not exist.
  const isMissing = isNotFoundError(error)
  if (error && !isMissing) return <ErrorBox error={error} />
  if (!data && !isMissing) return <LoadingIndicator label="Loading the files" />
  const folders = data?.pages[0]?.folders ?? []
  const documents = data?.pages.flatMap((page) => page.documents) ?? []
  if (folders.length + documents.length === 0) {
    return <Hint>No files.</Hint>
  }
  return (
    <ul className="plain-list">
      {folders.map((name) => (
        <FolderItem
          key={name}
          name={name}
          documentRef={{ project, path: path === '' ? name : `${path}/${name}` }}
          current={current}
        />
      ))}
      {documents.map((document) => (
        <FileItem
          key={document.path}
          project={project}
          document={document}
          isCurrent={document.path === current}
        />
      ))}
      {hasNextPage && (
        <li>
          <LoadMoreButton query={query} size="compact-sm">
            Load more files
          </LoadMoreButton>
        </li>
      )}
    </ul>
  )
}

function FolderItem({
  name,
  documentRef,
  current,
}: {
  name: string
  documentRef: DocumentRef
  current: string
}) {
  const [chosen, setChosen] = useState<boolean | null>(null)
  const isOpen = chosen ?? current.startsWith(`${documentRef.path}/`)
  return (
    <li>
      <button
        type="button"
        className="tree-row tree-folder"
        aria-expanded={isOpen}
        onClick={() => setChosen(!isOpen)}
      >
        <span className="tree-mark" aria-hidden>
          {isOpen ? '▾' : '▸'}
        </span>
        <Name>{name}</Name>
        <VisuallyHidden> folder</VisuallyHidden>
      </button>
      {isOpen && (
        <div className="tree-inside">
          <Folder documentRef={documentRef} current={current} />
        </div>
      )}
    </li>
  )
}

interface FileItemProps {
  project: string
  document: ApiDocument
  isCurrent: boolean
}

function FileItem({ project, document: { path, warning }, isCurrent }: FileItemProps) {
  return (
    <li>
      <Link
        {...projectPage(project, path)}
        className="tree-row"
        aria-current={isCurrent ? 'page' : undefined}
      >
        <Name>{fileNameOf(path)}</Name>
        {warning !== null && (
          <span className="tree-warning" title={warning}>
            {' '}
            !<VisuallyHidden> {warning}</VisuallyHidden>
          </span>
        )}
      </Link>
    </li>
  )
}
