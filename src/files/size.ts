/** Size of an image in pixels. */
export interface Dimensions {
  width: number
  height: number
}
