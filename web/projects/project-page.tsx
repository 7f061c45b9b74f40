import { useMediaQuery } from '@mantine/hooks'
import { getRouteApi, Link, useLocation } from '@tanstack/react-router'
import { Stack } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import './projects.css'
import { DocumentView } from './document/document-view.tsx'
import { DocumentEditor } from './document/document-editor.tsx'
import { type DocumentRef, isWritableDocument, fileNameOf } from './document-ref.ts'
import { useDocument, useFolderContents, useRefreshOnDocumentEvents } from './queries.ts'
import { FileTree } from './file-tree.tsx'
import { NARROW_SCREEN_MEDIA_QUERY } from '../ui/breakpoints.ts'
import { isNotFoundError } from '../api/api-error.ts'
import { NotFoundNotice, NotFoundText, QueryView, StatusMessage } from '../ui/feedback/feedback.tsx'
import { BackLink, ButtonLink, projectPage } from '../ui/links.tsx'
import { PageTitle } from '../ui/layout.tsx'
import { ProjectOverview } from './project-overview.tsx'

const route = getRouteApi('/signed-in/projects/$projectId/$')

/** `/projects/ID` shows the project with its files. `/projects/ID/PATH` shows one document. */
export function ProjectPage() {
  const { projectId: project, _splat: path = '' } = route.useParams()
  const { view } = route.useSearch()
  const isAddingDocument = view === 'new'
  const { error } = useFolderContents({ project, path: '' })
  if (path === '') {
    // Saving a new document creates its project, so the form does not need one.
    if (isNotFoundError(error) && !isAddingDocument) return <ProjectNotFound />
    return (
      <ProjectLayout project={project} path="" title={isAddingDocument ? 'New document' : project}>
        <ProjectOverview project={project} isAddingDocument={isAddingDocument} />
      </ProjectLayout>
    )
  }
  return (
    <ProjectLayout project={project} path={path} title={fileNameOf(path)}>
      <DocumentPane key={`${project}/${path}`} documentRef={{ project, path }} />
    </ProjectLayout>
  )
}

function DocumentPane({ documentRef }: { documentRef: DocumentRef }) {
  const { view } = route.useSearch()
  const navigate = route.useNavigate()
  const query = useDocument(documentRef)
  const target = useHashLine()
  const [note, setNote] = useState('')
  const isEditing = view === 'edit' && isWritableDocument(documentRef.path)
  return (
    <>
      <StatusMessage>{note}</StatusMessage>
      <QueryView
        query={query}
        label="the document"
        notFound={<DocumentNotFound project={documentRef.project} />}
      >
        {(document) =>
          isEditing && document.text !== null ? (
            <DocumentEditor
              documentRef={documentRef}
              document={document}
              onDone={(message) => {
                setNote(message)
                void navigate({ search: { view: undefined }, replace: true })
              }}
            />
          ) : (
            <DocumentView
              documentRef={documentRef}
              document={document}
              isRaw={view === 'raw'}
              targetLine={target}
            />
          )
        }
      </QueryView>
    </>
  )
}

function ProjectNotFound() {
  return (
    <NotFoundNotice what="Project">
      <ButtonLink to="/projects">Go to projects</ButtonLink>
    </NotFoundNotice>
  )
}

function DocumentNotFound({ project }: { project: string }) {
  return (
    <Stack gap="md" align="flex-start">
      <NotFoundText what="Document" />
      <ButtonLink {...projectPage(project)}>Go to the project</ButtonLink>
    </Stack>
  )
}

interface ProjectLayoutProps {
  project: string
  path: string
  title: string
  children: ReactNode
}

/** The file tree on the left. On narrow screens it is above the content, collapsed while a document is open. */
function ProjectLayout({ project, path, title, children }: ProjectLayoutProps) {
  useRefreshOnDocumentEvents()
  const isNarrow = useMediaQuery(NARROW_SCREEN_MEDIA_QUERY, false, {
    getInitialValueInEffect: false,
  })
  const tree = <FileTree key={project} project={project} currentPath={path} />
  return (
    <Stack gap="md">
      <Stack gap={4}>
        <div className="back-links break-anywhere">
          <BackLink to="/projects">Projects</BackLink>
          {path !== '' && (
            <>
              <span>/</span>
              <Link className="back-link" {...projectPage(project)}>
                {project}
              </Link>
            </>
          )}
        </div>
        <div className="break-anywhere">
          <PageTitle>{title}</PageTitle>
        </div>
      </Stack>
      <div className="project-columns">
        {isNarrow ? (
          <details className="tree-fold" open={path === ''}>
            <summary>Files of {project}</summary>
            {tree}
          </details>
        ) : (
          tree
        )}
        <div className="project-content">{children}</div>
      </div>
    </Stack>
  )
}

/** The line number in the URL's fragment: `#L12`. */
function useHashLine(): number | null {
  const hash = useLocation({ select: (location) => location.hash })
  const [, digits] = /^L(\d{1,7})$/.exec(hash) ?? []
  return digits === undefined ? null : Number(digits)
}
