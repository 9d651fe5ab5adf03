/** Four colours of a cover: background, drawing, accent, and one in between. */
export type Palette = { ground: string; ink: string; accent: string; shade: string }

const palette = (ground: string, ink: string, accent: string, shade: string): Palette => ({
  ground,
  ink,
  accent,
  shade,
})

export const PALETTES: readonly Palette[] = [
  palette('#10131a', '#ff5c39', '#ffd9c7', '#3a2630'),
  palette('#f3efe6', '#1d1d1b', '#e4572e', '#cfc6b4'),
  palette('#0b2a4a', '#39d0ff', '#f7f3e3', '#155a86'),
  palette('#231942', '#e0b1cb', '#ffd166', '#5e548e'),
  palette('#0d1f17', '#b8f34a', '#eaffd0', '#2c5a3a'),
  palette('#ffcf33', '#141414', '#ff4f79', '#e0a400'),
  palette('#ece4db', '#2f3e46', '#d1603d', '#84a98c'),
  palette('#2b0b0b', '#ff2e4c', '#ffb3a7', '#7a1626'),
  palette('#e8eef2', '#0a2342', '#2ca58d', '#a9c3cf'),
  palette('#111111', '#f5f5f5', '#ff3b30', '#5b616a'),
  palette('#3a0ca3', '#f72585', '#4cc9f0', '#7209b7'),
  palette('#fefae0', '#bc6c25', '#283618', '#dda15e'),
  palette('#0f0f12', '#c77dff', '#ffea00', '#46305c'),
  palette('#014f86', '#a9d6e5', '#ffba08', '#2a6f97'),
  palette('#ff6b4a', '#2b1230', '#fff0e0', '#d94a3a'),
  palette('#f7d6e0', '#3d1f4e', '#f2545b', '#d9a4bd'),
  palette('#00433b', '#ffd6a5', '#ff7f51', '#0b7a6b'),
  palette('#dfe7d8', '#14342b', '#ff8a3d', '#9bb89d'),
  palette('#1b1f3b', '#ffb4a2', '#53d8fb', '#4a4e7c'),
  palette('#f4f1de', '#e07a5f', '#3d405b', '#f2cc8f'),
]
