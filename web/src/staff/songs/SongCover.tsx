import { corrections } from '@dubplate/contract'
import { Avatar, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { PageSection } from '../../admin/PageSection.tsx'
import { PictureInput } from '../../admin/PictureInput.tsx'
import { FormMessages } from '../../admin/ResourceForm.tsx'
import { format } from '../../format/message.ts'
import { callApi } from '../../platform/api.ts'
import { imageAt } from '../../platform/media.ts'
import { messagesOf } from '../../platform/useResourceForm.ts'
import { SourceMark } from '../../uploads/Field.tsx'
import { applyChange, queueChange, reloadSong, type Song, toastWithUndo, uploadCover } from './songActions.ts'
import * as texts from './texts.ts'

/** The cover: a picture can be uploaded or replaced, and removed in favour of the generated one. */
export function SongCover({ song }: { song: Song }) {
  const { entity_id, title, image, has_cover, origins } = song
  /** The uploaded share, 0 to 1; undefined while nothing is uploaded. */
  const [progress, setProgress] = useState<number>()
  const [messages, setMessages] = useState<readonly string[]>([])
  const change = async (send: () => Promise<{ song_edit_id: number | null }>, message: string) => {
    setMessages([])
    setProgress(0)
    try {
      toastWithUndo(format(message, { title }), (await send()).song_edit_id)
    } catch (error) {
      setMessages(messagesOf(error))
      void reloadSong(entity_id)
    }
    setProgress(undefined)
  }
  const choose = (picture: File) =>
    void change(() => uploadCover(entity_id, picture, setProgress), texts.coverOfUpdated)
  const remove = () =>
    queueChange(entity_id, async (revision) =>
      applyChange(await callApi(corrections.dropCover, { entity_id, revision })),
    )
  return (
    <PageSection
      title={texts.cover}
      actions={
        <Group gap="sm">
          <Text fz="sm" c="var(--text-2)">
            {has_cover ? texts.uploadedCover : texts.generatedCover}
          </Text>
          <SourceMark source={origins.artwork} />
        </Group>
      }
    >
      <PictureInput
        chosen={{ picture: undefined, progress, choose }}
        hasPicture={has_cover}
        onRemove={has_cover ? () => void change(remove, texts.coverOfResetToThe) : undefined}
      >
        <Avatar key={image} src={imageAt(image, 320)} alt="" size={112} radius="md" color="gray" />
      </PictureInput>
      <FormMessages messages={messages} />
    </PageSection>
  )
}
