/** The script of the embedded player (server/src/sharing/embed-page.ts): one audio element for all songs of the page. */

const audio = document.querySelector('audio') ?? new Audio()

const player = document.querySelector<HTMLElement>('[data-player]')
const playButton = document.querySelector<HTMLButtonElement>('[data-play]')
const progress = document.querySelector<HTMLElement>('[data-progress]')
const songs = [...document.querySelectorAll<HTMLButtonElement>('[data-clip]')].filter(({ disabled }) => !disabled)
let current = -1

function show() {
  const isPlaying = !audio.paused && !audio.ended
  if (player) player.dataset.playing = String(isPlaying)
  playButton?.setAttribute('aria-label', isPlaying ? 'Pause' : 'Play')
  songs.forEach((song, n) => {
    if (n === current) song.setAttribute('aria-current', 'true')
    else song.removeAttribute('aria-current')
  })
}

function showPosition() {
  const percent = audio.duration > 0 ? Math.round((audio.currentTime / audio.duration) * 100) : 0
  progress?.setAttribute('aria-valuenow', String(percent))
  progress?.style.setProperty('--position', `${percent}%`)
}

function showFault() {
  const line = document.querySelector('[data-now]')
  if (line) line.textContent = 'This preview can’t be played. Open the page to try again.'
  show()
}

function play(index: number) {
  const clip = songs[index]?.dataset.clip
  if (!clip) return
  if (index !== current) {
    current = index
    audio.src = clip
  }
  audio.play().catch(showFault)
}

const toggle = (index: number) => {
  if (index === current && !audio.paused) audio.pause()
  else play(index)
}

playButton?.addEventListener('click', () => toggle(Math.max(0, current)))
songs.forEach((song, n) => {
  song.addEventListener('click', () => toggle(n))
})
for (const type of ['play', 'pause', 'ended']) audio.addEventListener(type, show)
audio.addEventListener('timeupdate', showPosition)
audio.addEventListener('ended', () => play(current + 1))
