import { type RefObject, useEffect, useRef } from 'react'
import { format } from '../platform/message.ts'
import { Button } from '../ui/Button.tsx'
import { DropArea } from './DropArea.tsx'
import { isBeingAnalysed, useContainer, useFiles } from './files.ts'
import { hush } from './preview.ts'
import { SendingList } from './SendingList.tsx'
import { SongFields } from './SongFields.tsx'
import css from './SongFormScreen.module.css'
import { useSending } from './sendings.ts'
import type { Kind } from './slotChoice.ts'
import type { SongForm } from './songForm.ts'
import * as texts from './texts.ts'
import { useSaving } from './useSaving.ts'
import { useSongForm } from './useSongForm.ts'
import { VersionSlots } from './VersionSlots.tsx'
import { useWatching } from './watching.ts'

type Props = {
  /** The song that is changed; nothing for a new one. */
  entityId?: number | undefined
  /** The form as it is at first. */
  first: SongForm
  kinds: Kind[]
}

/** A song of files of one's own, new or to be changed. */
export function SongFormScreen({ entityId, first, kinds }: Props) {
  const state = useSongForm(entityId, first, kinds)
  const { wrong, tries, trouble, isBusy, save, newer } = useSaving(entityId, state)
  const box = useRef<HTMLFormElement>(null)
  useFocusOnWrong(box, tries)
  const alert = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (trouble) alert.current?.scrollIntoView({ block: 'nearest' })
  }, [trouble])
  useContainer()
  useEffect(() => hush, [])
  useWatching(useIsAnalysing(state.form))
  return (
    <form ref={box} noValidate className={css.form} aria-label={texts.song} onSubmit={(event) => void save(event)}>
      <div className={css.files}>
        <section className={css.part} aria-labelledby="versions-title">
          <h2 id="versions-title">{texts.versions}</h2>
          <DropArea form={state.name} />
          <SendingList onUse={state.expect} />
          <VersionSlots entityId={entityId} state={state} kinds={kinds} wrong={wrong} />
        </section>
      </div>
      <section className={css.part} aria-labelledby="song-title">
        <h2 id="song-title">{texts.song}</h2>
        <SongFields state={state} wrong={wrong} />
        <div className={css.end}>
          <div ref={alert} role="alert" className={trouble ? css.trouble : undefined}>
            {trouble}
            {newer && (
              <Button busy={isBusy} onClick={() => void newer()}>
                {texts.loadLatestAndKeepMy}
              </Button>
            )}
          </div>
          <StillComing />
          <Button type="submit" look="primary" busy={isBusy} className={css.save}>
            {isBusy ? texts.processing : 'Save'}
          </Button>
        </div>
      </section>
    </form>
  )
}

/** Whether a file of this form, or one that is to come into it, is being analysed. */
function useIsAnalysing({ slots, coming }: SongForm): boolean {
  const known = useFiles(({ files }) => files)
  const ids = [...coming, ...slots.flatMap(({ song }) => (song === undefined ? [] : [song]))]
  return coming.length > 0 || ids.some((id) => known[id] !== undefined && isBeingAnalysed(known[id]))
}

/** What is saved now is saved without what is still on its way. */
function StillComing() {
  const count = useSending(({ list }) => list.filter(({ state }) => !['refused', 'left'].includes(state)).length)
  if (count === 0) return null
  return <p className={css.hint}>{format(texts.filesStillUploadingYouCan, { count })}</p>
}

/** The focus goes to the first field that something is wrong with, once for each try. */
function useFocusOnWrong(box: RefObject<HTMLFormElement | null>, tries: number) {
  useEffect(() => {
    if (tries > 0) box.current?.querySelector<HTMLElement>('[data-wrong]:is(input, select, button)')?.focus()
  }, [tries, box])
}
