/** Of a picture, in pixels. */
export interface Dimensions {
  width: number
  height: number
}
