import { type RefObject, useEffect, useRef } from 'react'
import { format } from '../format/message.ts'
import { Button } from '../ui/Button.tsx'
import { DropArea } from './DropArea.tsx'
import { isBeingAnalysed, useContainer, useFiles } from './files.ts'
import { pausePreview } from './preview.ts'
import { SendingList } from './SendingList.tsx'
import { SongFields } from './SongFields.tsx'
import css from './SongFormScreen.module.css'
import { useSending } from './sendings.ts'
import type { SlotKind } from './slotChoice.ts'
import type { SongForm } from './songForm.ts'
import * as texts from './texts.ts'
import { useSaving } from './useSaving.ts'
import { useSongForm } from './useSongForm.ts'
import { useUploadWatch } from './useUploadWatch.ts'
import { VersionSlots } from './VersionSlots.tsx'

type Props = {
  /** The song being edited; undefined for a new one. */
  entityId?: number | undefined
  /** The initial values of the form. */
  first: SongForm
  kinds: SlotKind[]
}

/** The form for a song from the member's own files, new or existing. */
export function SongFormScreen({ entityId, first, kinds }: Props) {
  const state = useSongForm(entityId, first, kinds)
  const { fieldErrors, tries: attempts, errorMessage, isBusy, save, newer: serverForm } = useSaving(entityId, state)
  const formElement = useRef<HTMLFormElement>(null)
  useFocusOnWrong(formElement, attempts)
  const alert = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (errorMessage) alert.current?.scrollIntoView({ block: 'nearest' })
  }, [errorMessage])
  useContainer()
  useEffect(() => pausePreview, [])
  useUploadWatch(useIsAnalysing(state.form))
  return (
    <form
      ref={formElement}
      noValidate
      className={css.form}
      aria-label={texts.song}
      onSubmit={(event) => void save(event)}
    >
      <div className={css.files}>
        <section className={css.part} aria-labelledby="versions-title">
          <h2 id="versions-title">{texts.versions}</h2>
          <DropArea form={state.name} />
          <SendingList onUse={state.expect} />
          <VersionSlots entityId={entityId} state={state} kinds={kinds} fieldErrors={fieldErrors} />
        </section>
      </div>
      <section className={css.part} aria-labelledby="song-title">
        <h2 id="song-title">{texts.song}</h2>
        <SongFields state={state} fieldErrors={fieldErrors} />
        <div className={css.end}>
          <div ref={alert} role="alert" className={errorMessage ? css.error : undefined}>
            {errorMessage}
            {serverForm && (
              <Button busy={isBusy} onClick={() => void serverForm()}>
                {texts.loadLatestAndKeepMy}
              </Button>
            )}
          </div>
          <UploadsPendingNotice />
          <Button type="submit" variant="primary" busy={isBusy} className={css.save}>
            {isBusy ? texts.processing : texts.save}
          </Button>
        </div>
      </section>
    </form>
  )
}

/** Whether a file of this form, or one that will be added to it, is being analysed. */
function useIsAnalysing({ slots, coming: expectedUploadIds }: SongForm): boolean {
  const known = useFiles(({ files }) => files)
  const ids = [...expectedUploadIds, ...slots.flatMap(({ song }) => (song === undefined ? [] : [song]))]
  return expectedUploadIds.length > 0 || ids.some((id) => known[id] !== undefined && isBeingAnalysed(known[id]))
}

/** Warns that saving now does not include files that are still uploading. */
function UploadsPendingNotice() {
  const count = useSending(({ list }) => list.filter(({ state }) => !['refused', 'left'].includes(state)).length)
  if (count === 0) return null
  return <p className={css.hint}>{format(texts.filesStillUploadingYouCan, { count })}</p>
}

/** Focuses the first invalid field, once after each attempt. */
function useFocusOnWrong(formElement: RefObject<HTMLFormElement | null>, attempts: number) {
  useEffect(() => {
    if (attempts > 0) formElement.current?.querySelector<HTMLElement>('[data-wrong]:is(input, select, button)')?.focus()
  }, [attempts, formElement])
}
