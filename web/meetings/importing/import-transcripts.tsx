import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { ImportDialog } from './import-dialog.tsx'
import { useFileDrop } from './use-file-drop.ts'
import './import.css'

/** The import button, with the whole page as a place to drop files. */
export function ImportTranscripts() {
  const [dropped, setDropped] = useState<File[] | null>(null)
  const isDragging = useFileDrop(setDropped, dropped !== null)
  return (
    <>
      <Button variant="default" onClick={() => setDropped([])}>
        Import a transcript
      </Button>
      {isDragging && (
        <div className="drop-overlay" role="status">
          <Text fw={650} size="lg">
            Drop transcript files to import them
          </Text>
        </div>
      )}
      {dropped !== null && <ImportDialog dropped={dropped} onClose={() => setDropped(null)} />}
    </>
  )
}
