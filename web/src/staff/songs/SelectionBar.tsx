import { corrections, staffSongs } from '@dubplate/contract'
import { IconArchive, IconArrowBackUp, IconPencil, IconWaveSine, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { callApi } from '../../platform/api.ts'
import { count } from '../../platform/format.ts'
import { format } from '../../platform/message.ts'
import { Button } from '../../ui/Button.tsx'
import { lazyOnDemand } from '../../ui/lazyOnDemand.tsx'
import { toast, toastError } from '../../ui/toast.ts'
import { SELECTION_DEEDS } from './moreDeeds.ts'
import css from './Songs.module.css'
import { clearSelection, select, selectedSongs, selectOnly, useSelection } from './selection.ts'
import type { Filters } from './songAddress.ts'
import { analyseAgain } from './songDeeds.ts'
import { setStanding } from './standing.ts'
import * as texts from './texts.ts'

const MultiEdit = lazyOnDemand(() => import('./MultiEdit.tsx').then(({ MultiEdit }) => MultiEdit))
const ReasonDialog = lazyOnDemand(() => import('../../admin/ReasonDialog.tsx').then(({ ReasonDialog }) => ReasonDialog))

const { MAX_SELECTED_SONGS: MOST_SELECTED } = staffSongs
const { MAX_RETURNED_SONGS: MOST_SHOWN_AGAIN } = corrections

/** After a change of many songs their new revisions are unknown here, so they have to be selected again. */
function afterwards({ changed, songs }: corrections.Outcome) {
  if (changed > MOST_SHOWN_AGAIN) clearSelection()
  else select(songs, true)
}

/** Actions on the selected songs. The bar stays visible. */
export function SelectionBar({ filters, total }: { filters: Filters; total: number | undefined }) {
  const songs = selectedSongs(useSelection((selection) => selection.songs))
  const [dialog, setDialog] = useState<'edit' | 'unpublish' | 'restore'>()
  const [isBusy, setBusy] = useState(false)
  const n = songs.length
  const selectAll = async () => {
    setBusy(true)
    try {
      const found = await callApi(staffSongs.selectSongs, filters)
      selectOnly(found.songs)
      if (found.total > found.songs.length)
        void toast({
          message: format(texts.selectedTheNewestOfSongs, {
            length: count(found.songs.length),
            total: count(found.total),
          }),
        })
    } catch (error) {
      void toastError(texts.couldntSelectSongs, error)
    }
    setBusy(false)
  }
  const isMore = total !== undefined && total > n
  return (
    <section className={css.selection} aria-label={texts.selectedSongs} data-any={n > 0 || undefined}>
      <p aria-live="polite" className="num">
        {n > 0 ? format(texts.songsSelected, { n }) : texts.pressSpaceOrShiftAn}
      </p>
      {isMore && (
        <Button busy={isBusy} onClick={() => void selectAll()}>
          {total > MOST_SELECTED
            ? format(texts.selectNewestResults, { n: count(MOST_SELECTED) })
            : format(texts.selectAllResults, { n: count(total) })}
        </Button>
      )}
      {n > 0 && (
        <>
          <Button variant="primary" onClick={() => setDialog('edit')}>
            <IconPencil size={16} aria-hidden />
            {texts.edit}
          </Button>
          <Button onClick={() => setDialog('unpublish')}>
            <IconArchive size={16} aria-hidden />
            {texts.unpublishMenuItem}
          </Button>
          <Button onClick={() => setDialog('restore')}>
            <IconArrowBackUp size={16} aria-hidden />
            {texts.publishMenuItem}
          </Button>
          <Button onClick={() => void analyseAgain(songs)}>
            <IconWaveSine size={16} aria-hidden />
            {texts.reAnalyse}
          </Button>
          {SELECTION_DEEDS.map((Deed) => (
            <Deed key={Deed.displayName ?? Deed.name} songs={songs} onDone={clearSelection} />
          ))}
          <Button onClick={clearSelection}>
            <IconX size={16} aria-hidden />
            {texts.clearSelection}
          </Button>
        </>
      )}
      {dialog === 'edit' && <MultiEdit songs={songs} onClose={() => setDialog(undefined)} onDone={afterwards} />}
      {(dialog === 'unpublish' || dialog === 'restore') && (
        <ReasonDialog
          title={format(dialog === 'unpublish' ? texts.unpublishSongsQuestion : texts.publishSongsQuestion, { n })}
          text={dialog === 'unpublish' ? texts.theSongsDisappearFromLists : texts.theSongsReappearInLists}
          verb={dialog === 'unpublish' ? texts.unpublish : texts.publish}
          hint={texts.savedInTheAuditLog}
          missingMessage={dialog === 'unpublish' ? texts.enterAReasonYourColleagues : undefined}
          isDanger={dialog === 'unpublish'}
          draftName={`songs.${dialog}`}
          onSend={async (reason) => afterwards(await setStanding(dialog, songs, reason))}
          onClose={() => setDialog(undefined)}
        />
      )}
    </section>
  )
}
