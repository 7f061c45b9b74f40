import './import.css'
import { Button, Text } from '@mantine/core'
import { useState, useEffect, useRef } from 'react'
import { ImportDialog } from './import-dialog.tsx'

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

/**
 * Calls `onDrop` with files that the user drops anywhere on the page. True while files are dragged over the page. While
 * `isOff` is true, a dropped file is ignored and does not replace the page.
 */
function useFileDrop(onDrop: (files: File[]) => void, isOff: boolean): boolean {
  const [isDragging, setDragging] = useState(false)
  const drop = useRef(onDrop)
  useEffect(() => {
    drop.current = onDrop
  })
  useEffect(() => {
    /** Needed because the browser reports each element that the pointer enters and leaves. */
    let depth = 0
    const setDepth = (value: number) => {
      depth = Math.max(0, value)
      setDragging(depth > 0 && !isOff)
    }
    const listen = (
      type: 'dragenter' | 'dragover' | 'dragleave' | 'drop',
      handle: (event: DragEvent) => void,
    ) => {
      const onlyFiles = (event: DragEvent) => {
        if (event.dataTransfer?.types.includes('Files') !== true) return
        event.preventDefault()
        handle(event)
      }
      window.addEventListener(type, onlyFiles)
      return () => window.removeEventListener(type, onlyFiles)
    }
    const stops = [
      listen('dragenter', () => setDepth(depth + 1)),
      listen('dragleave', () => setDepth(depth - 1)),
      listen('dragover', () => undefined),
      listen('drop', ({ dataTransfer }) => {
        setDepth(0)
        const files = [...(dataTransfer?.files ?? [])]
        if (!isOff && files.length > 0) drop.current(files)
      }),
    ]
    return () => stops.forEach((stop) => stop())
  }, [isOff])
  return isDragging
}
