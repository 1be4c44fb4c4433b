/* The page of a net without a question. */
playAll(document.getElementById("proof"), document.querySelector("#net svg"));
