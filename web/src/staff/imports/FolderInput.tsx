import { Box, FileButton, Group } from '@mantine/core'
import { IconFolderUp } from '@tabler/icons-react'
import { type DragEvent, type ReactNode, useRef, useState } from 'react'
import { Note, PageSection } from '../../admin/PageSection.tsx'
import { Button } from '../../ui/Button.tsx'
import { toast } from '../../ui/toast.ts'
import { usePreventStrayDrops } from '../../ui/usePreventStrayDrops.ts'
import { pickFolder } from '../../uploads/fileSystemAccess.ts'
import { type ChosenFolder, readDroppedItems, readFolderHandle, readFolderInput } from './folderFiles.ts'
import * as texts from './texts.ts'

type Props = {
  title: string
  onChoose: (folder: ChosenFolder | undefined) => void
  children: ReactNode
}

/** A section to choose a folder of this computer in: with a button, or by dropping it anywhere on the section. */
export function FolderInput({ title, onChoose, children }: Props) {
  const [isOver, setOver] = useState(false)
  // Allows choosing the same folder again, to continue.
  const resetInput = useRef<() => void>(null)
  usePreventStrayDrops()
  const choose = async (openInput: () => void) => {
    try {
      const picked = await pickFolder()
      if (picked === 'unsupported') openInput()
      else if (picked) onChoose(await readFolderHandle(picked))
    } catch {
      void toast({ title: texts.couldntReadTheFolder, message: texts.itMayHaveBeenMoved, tone: 'error' })
    }
  }
  const drop = async ({ dataTransfer }: DragEvent) => {
    setOver(false)
    onChoose(await readDroppedItems(dataTransfer.items))
  }
  return (
    <Box
      style={isOver ? { outline: '2px solid var(--accent-ink)', borderRadius: 'var(--r-lg)' } : {}}
      onDragOver={({ dataTransfer }) => setOver(dataTransfer.types.includes('Files'))}
      onDragLeave={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget as Node | null)) setOver(false)
      }}
      onDrop={(event) => void drop(event)}
    >
      <PageSection title={title}>
        <Note>{texts.dropAFolderHereOr}</Note>
        <Group>
          <FileButton
            multiple
            resetRef={resetInput}
            // Lets the input choose folders; React has no such prop.
            inputProps={{ 'aria-label': texts.folder, ...{ webkitdirectory: '' } }}
            onChange={(files) => {
              onChoose(readFolderInput(files))
              resetInput.current?.()
            }}
          >
            {({ onClick }) => (
              <Button onClick={() => void choose(onClick)}>
                <IconFolderUp size={16} aria-hidden />
                {texts.chooseFolder}
              </Button>
            )}
          </FileButton>
        </Group>
        {children}
      </PageSection>
    </Box>
  )
}
