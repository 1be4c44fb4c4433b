/* The page of one question. */
if (playAll(document.getElementById("proof"), document.querySelector("#net svg"))) document.getElementById("net").hidden = true;
